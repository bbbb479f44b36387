import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('pages/start.tsx'),
  route(':lang', 'pages/language-layout.tsx', [
    route('chat/:conversationId?', 'pages/chat.tsx'),
    layout('pages/site-layout.tsx', [
      index('pages/home.tsx'),
      route('login', 'pages/account/login.tsx'),
      route('register', 'pages/account/register.tsx'),
      route('pricing', 'pages/plans/pricing.tsx'),
      layout('pages/account/account.tsx', { id: 'account-prefixed' }, [
        route('subscription', 'pages/plans/subscription.tsx'),
        route('orders/:orderId?', 'pages/account/sections/orders.tsx'),
        route('credits', 'pages/account/sections/credits.tsx'),
      ]),
      route('offline', 'pages/offline.tsx'),
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
  ]),
  layout('pages/plain-layout.tsx', [
    route('privacy', 'pages/privacy.tsx'),
    route('terms', 'pages/terms.tsx'),
    route('profile', 'pages/account/account.tsx', [
      index('pages/account/account-home.tsx'),
      route('details', 'pages/account/sections/details.tsx'),
      route('security', 'pages/account/sections/security.tsx'),
      route('devices', 'pages/account/sections/devices.tsx'),
      route('billing', 'pages/account/sections/billing.tsx'),
      route('data', 'pages/account/sections/data.tsx'),
      route('api', 'pages/account/sections/api.tsx'),
    ]),
    route('forgot-password', 'pages/account/forgot-password.tsx'),
    route('reset-password', 'pages/account/reset-password.tsx'),
    route('verify-email', 'pages/account/verify-email.tsx'),
    route('sign-in-link', 'pages/account/sign-in-link.tsx'),
    route('not-me', 'pages/account/not-me.tsx'),
    route('confirm-email', 'pages/account/confirm-email.tsx'),
  ]),
  route('*', 'pages/unknown.tsx'),
] satisfies RouteConfig;
