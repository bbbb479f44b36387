/** Fetches the list of conversations and the menu of the site, which stand at the side, or on a phone in a drawer. */
export async function loadSide() {
  const [{ ConversationPanel }, { SiteMenu }] = await Promise.all([
    import('../list/conversation-panel.tsx'),
    import('./site-menu.tsx'),
  ]);
  return { ConversationPanel, SiteMenu };
}
