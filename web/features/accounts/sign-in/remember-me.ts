/** What the login form says of remembering this browser; where there is no such choice, the session outlasts the browser. */
export function wantsRememberMe(): boolean {
  return document.querySelector<HTMLInputElement>('input[name="rememberMe"]')?.checked ?? true;
}
