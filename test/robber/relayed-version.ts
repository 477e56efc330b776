/** The EntryPoint whose operations are relayed: most kinds of accounts use it. */
export const relayedVersion = '0.7';
