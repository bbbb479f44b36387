/** The application that the emulator knows, wherever on this machine it runs. */
export const CLIENT = { id: 'emulator.apps.googleusercontent.test', secret: 'emulator' };
