/** The number of the apiKey that a paymaster has from the beginning, which the interface lists. */
export const ownKeyNumber = 0;

/** What that key is called until its owner calls it something else. */
export const ownKeyName = 'default';
