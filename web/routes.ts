import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('pages/start.tsx'),
  route(':lang', 'pages/language-layout.tsx', [
    index('pages/home.tsx'),
    route('login', 'pages/login.tsx'),
    route('register', 'pages/register.tsx'),
    route('chat/:conversationId?', 'pages/chat.tsx'),
    route('pricing', 'pages/pricing.tsx'),
    route('subscription', 'pages/subscription.tsx'),
    route('orders/:orderId?', 'pages/orders.tsx'),
    route('credits', 'pages/credits.tsx'),
    route('contact', 'pages/contact.tsx'),
    route('features', 'pages/features.tsx'),
    route('news', 'pages/news.tsx'),
    route('news/:slug', 'pages/news-item.tsx'),
    route('faq', 'pages/faq.tsx'),
    route('privacy', 'pages/privacy.tsx', { id: 'privacy-prefixed' }),
    route('terms', 'pages/terms.tsx', { id: 'terms-prefixed' }),
    route('models', 'pages/models.tsx'),
    route('api', 'pages/api.tsx'),
  ]),
  layout('pages/plain-layout.tsx', [
    route('privacy', 'pages/privacy.tsx'),
    route('terms', 'pages/terms.tsx'),
    route('profile', 'pages/profile.tsx'),
    route('forgot-password', 'pages/forgot-password.tsx'),
    route('reset-password', 'pages/reset-password.tsx'),
    route('verify-email', 'pages/verify-email.tsx'),
    route('confirm-email', 'pages/confirm-email.tsx'),
  ]),
  route('*', 'pages/unknown.tsx'),
] satisfies RouteConfig;
