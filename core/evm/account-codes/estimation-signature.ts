import type { Hex } from 'viem';

/**
 * A well-formed ECDSA signature of no known key: `r` is the x of a point on the curve and `s` is low, so recovery returns
 * some address instead of failing. Accounts then return "signature failed", which estimation accepts.
 */
export const dummySignature: Hex = `0x${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}${'3a'.repeat(32)}1c`;
