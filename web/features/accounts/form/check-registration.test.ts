import { expect, it } from 'vitest';
import { checkRegistration } from './check-registration.ts';

const GOOD = { email: 'a@b.example', password: 'secret', confirmation: 'secret', agreed: true };

it('finds nothing wrong with a complete form', () => {
  expect(checkRegistration(GOOD)).toEqual({});
  expect(checkRegistration({ ...GOOD, email: '  a@b.example ' })).toEqual({});
});

it('names each fault at its field', () => {
  expect(checkRegistration({ email: '', password: '12345', confirmation: '54321', agreed: false })).toEqual({
    email: 'account.emailMissing',
    password: 'account.passwordTooShort',
    confirmation: 'account.passwordMismatch',
    agreed: 'account.termsMissing',
  });
});

it.each(['plain', 'a@b', '@b.example', 'a b@c.example', 'a@b@c.example'])(
  'refuses the address %s',
  (email) => {
    expect(checkRegistration({ ...GOOD, email })).toEqual({ email: 'account.emailInvalid' });
  },
);

it('takes six characters and refuses five or more than the limit', () => {
  const withPassword = (password: string) => checkRegistration({ ...GOOD, password, confirmation: password });
  expect(withPassword('123456')).toEqual({});
  expect(withPassword('12345')).toEqual({ password: 'account.passwordTooShort' });
  expect(withPassword('x'.repeat(129))).toEqual({ password: 'account.passwordTooLong' });
});
