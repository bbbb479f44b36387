/** A safe hash takes 12 ms of a core; a server on a public address refuses less. */
export const CHEAP_HASHING = { PASSWORD_HASH_MEMORY_KIB: '8' };
/** As the product hashes by default, for tests of that and of the time that it takes. */
export const SAFE_HASHING = { PASSWORD_HASH_MEMORY_KIB: '' };
