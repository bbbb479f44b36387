import type { AnchorHTMLAttributes } from 'react';
import { isValidElement, type ReactElement, type ReactNode } from 'react';
import { disguisedHost, safeAddress } from './parse/safe-link.ts';

/**
 * A link out of an answer: opens beside the conversation and sends no referrer, and says where it leads when its text
 * says otherwise; `#` ones stay inside. What leads elsewhere than to the web or mail is text.
 */
export function AnswerLink({ href = '', children, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  if (href.startsWith('#')) {
    return (
      <a {...rest} href={href}>
        {children}
      </a>
    );
  }
  const url = safeAddress(href);
  if (!url) return <span>{children}</span>;
  const host = disguisedHost(url, textOf(children));
  return (
    <a {...rest} target="_blank" rel="noopener noreferrer nofollow ugc" href={href}>
      {children}
      {host ? <span className="host">{` (${host})`}</span> : null}
    </a>
  );
}

/** The text in what React is to draw. */
export function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement(node) ? textOf((node as ReactElement<{ children?: ReactNode }>).props.children) : '';
}
