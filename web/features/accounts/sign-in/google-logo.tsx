/** Google's “G” in its own colours, as its brand rules ask for it on a sign-in button. */
export function GoogleLogo() {
  return <img src="/google.svg" alt="" width={20} height={20} className="shrink-0" />;
}
