import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { AccountPage } from '#web/lib/pages.ts';

/** Where the parts stand that mails, news and notes found on the one long page of the account. */
const MOVED: Readonly<Record<string, AccountPage>> = {
  '#picture': 'profile/details',
  '#name': 'profile/details',
  '#email': 'profile/details',
  '#look': 'profile/details',
  '#account': 'profile/details',
  '#password': 'profile/security',
  '#sign-ins': 'profile/security',
  '#second-factor': 'profile/security',
  '#passkeys': 'profile/security',
  '#sessions': 'profile/devices',
  '#data': 'profile/data',
  '#leaving': 'profile/data',
};

/** The section that has the part which an anchor of the one long page named. */
export function sectionOfAnchor(hash: string): AccountPage | undefined {
  return MOVED[hash];
}

/** Leads an address of the one long page to the section that has its part now. */
export function useOldAnchors(): void {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const page = /^\/profile\/?$/.test(pathname) ? sectionOfAnchor(hash) : undefined;
  useEffect(() => {
    if (page) void navigate({ pathname: `/${page}`, search, hash }, { replace: true });
  }, [page, search, hash, navigate]);
}
