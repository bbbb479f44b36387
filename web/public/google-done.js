// The popup of a sign-in with Google reports the outcome to the page that opened it, and closes.
const news = JSON.parse(decodeURIComponent(location.hash.slice(1)) || '{}');
new BroadcastChannel('google').postMessage(news);
setTimeout(() => window.close(), 50);
