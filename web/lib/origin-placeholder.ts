/** Stands in built files for the origin of `PUBLIC_URL`, which the server puts in its place. */
export const ORIGIN_PLACEHOLDER = 'https://origin.invalid';
