import { Outlet } from 'react-router';

/** Pages whose path names no language. */
export default function PlainLayout() {
  return <Outlet />;
}
