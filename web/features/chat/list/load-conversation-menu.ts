/** Fetches what can be done with one conversation: its menu, and the field in which its title is changed. */
export async function loadConversationMenu() {
  const [{ ConversationMenu }, { TitleField }] = await Promise.all([
    import('./conversation-menu.tsx'),
    import('./title-field.tsx'),
  ]);
  return { ConversationMenu, TitleField };
}
