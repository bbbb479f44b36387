import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, draw, find, openPage } from '#test/dom/page.ts';
import { type Overlay, useOverlay } from './use-overlay.ts';

let router: ReturnType<typeof createMemoryRouter>;
let palette: Overlay;
let list: Overlay;

beforeEach(() => openPage('http://localhost'));
afterEach(closePage);

function Page() {
  palette = useOverlay('palette');
  list = useOverlay('list');
  return <output>{palette.open ? 'palette' : list.open ? 'list' : 'none'}</output>;
}

/** Draws at the second of two addresses of the history. */
function open() {
  router = createMemoryRouter([{ path: '*', element: <Page /> }], { initialEntries: ['/', '/conversation'] });
  draw(<RouterProvider router={router} />);
}

test('what is opened by something that was held while another one was open leaves the page where it is when it is closed', async () => {
  open();
  await find('output', 'none');
  palette.show();
  await find('output', 'palette');
  const { show } = list;
  palette.close();
  await find('output', 'none');
  show();
  await find('output', 'list');
  list.close();
  await find('output', 'none');
  expect(router.state.location.pathname).toBe('/conversation');
});

test('one that is opened while another one is open takes its place', async () => {
  open();
  await find('output', 'none');
  palette.show();
  await find('output', 'palette');
  list.show();
  await find('output', 'list');
  list.close();
  await find('output', 'none');
  expect(router.state.location.pathname).toBe('/conversation');
});

test('one that was closed, and opened again by the way forward, is closed again', async () => {
  open();
  await find('output', 'none');
  palette.show();
  await find('output', 'palette');
  palette.close();
  await find('output', 'none');
  await router.navigate(1);
  await find('output', 'palette');
  palette.close();
  await find('output', 'none');
  expect(router.state.location.pathname).toBe('/conversation');
});
