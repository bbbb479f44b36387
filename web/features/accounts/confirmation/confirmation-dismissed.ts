/** The user closed the dialog: nothing was done, and nothing needs to be said. */
export class ConfirmationDismissed extends Error {}

/** Runs an act of which the server wants a fresh proof that it is the user, as `useConfirmation` gives it. */
export type Confirmed = <T>(act: () => Promise<T>) => Promise<T>;
