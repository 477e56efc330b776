/** Bits of a nonce that count up; the others are its key (ERC-4337, semi-abstracted nonces). */
export const nonceSequenceBits = 64;
