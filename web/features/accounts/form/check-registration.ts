import { MAX_PASSWORD, MIN_PASSWORD } from '#contract/limits.ts';
import type { TextKey } from '#web/lib/translate.ts';

export interface Registration {
  email: string;
  password: string;
  confirmation: string;
  agreed: boolean;
}

/** The text key of what is wrong, at the field where it is wrong. */
export type FieldErrors<Fields extends string> = Partial<Record<Fields, TextKey>>;

/** What is wrong with a filled-in registration form; nothing when it may be sent. */
export function checkRegistration(form: Registration): FieldErrors<keyof Registration> {
  const found = {
    email: emailProblem(form.email),
    password: passwordProblem(form.password),
    confirmation: form.password === form.confirmation ? undefined : ('account.passwordMismatch' as const),
    agreed: form.agreed ? undefined : ('account.termsMissing' as const),
  };
  return Object.fromEntries(Object.entries(found).filter(([, key]) => key !== undefined));
}

/** The text key of what is wrong with an address. */
export function emailProblem(email: string): TextKey | undefined {
  if (email.trim() === '') return 'account.emailMissing';
  return looksLikeEmail(email) ? undefined : 'account.emailInvalid';
}

/** The text key of what is wrong with a new password. */
export function passwordProblem(password: string): TextKey | undefined {
  if (password.length < MIN_PASSWORD) return 'account.passwordTooShort';
  return password.length > MAX_PASSWORD ? 'account.passwordTooLong' : undefined;
}

/** Whether it has the shape of an address: something, one @, a domain. The server decides. */
function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
}
