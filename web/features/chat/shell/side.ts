export { ConversationPanel } from '../list/conversation-panel.tsx';
export { SiteMenu } from './site-menu.tsx';
