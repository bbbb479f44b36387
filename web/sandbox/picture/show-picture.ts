/** What the chat wants shown; see `web/features/chat/answer/remote-picture.tsx`. */
interface PictureOrder {
  src: string;
  alt: string;
}

addEventListener('message', ({ source, data }: MessageEvent<PictureOrder>) => {
  if (source === parent) show(data);
});

/** Shows one picture over the whole frame and sends the chat its size, or that it cannot be loaded. */
function show({ src, alt }: PictureOrder): void {
  const picture = new Image();
  picture.alt = alt;
  picture.referrerPolicy = 'no-referrer';
  picture.addEventListener('load', () =>
    parent.postMessage({ width: picture.naturalWidth, height: picture.naturalHeight }, '*'),
  );
  picture.addEventListener('error', () => parent.postMessage({ failed: true }, '*'));
  Object.assign(picture.style, { display: 'block', width: '100%', height: 'auto' });
  document.body.style.margin = '0';
  document.body.replaceChildren(picture);
  picture.src = src;
}
