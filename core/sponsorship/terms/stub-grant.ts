import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';

/** Latest time of 32 bits, in Unix seconds: no zero byte where a real time has nonzero ones. */
const lateTime = 0xffff_ffff;
/**
 *
 *
 * Latest time that no EntryPoint reads as a block number (47 bits). It gives the stub of token mode two more nonzero bytes,
 * like those of a part in advance in the signed data. The stub itself takes nothing in advance, which estimates could not
 * refund.
 */
const latestTime = 2 ** 47 - 1;
/** A time long past, also without zero bytes in use. */
const pastTime = 0x0101_0101;

/**
 *
 *
 * A grant for a stub: the signed data has at least as many zero bytes, so that calldata gas estimated with the stub suffices
 * (ERC-7677). Its window is currently open, like that of the real grant.
 */
export function stubGrant(grant: Grant): Grant {
  const window = { validUntil: lateTime, validAfter: pastTime };
  if (grant.mode === 'SPONSORED') return { ...grant, ...window };
  return { ...grant, ...window, validUntil: latestTime, exchangeRate: withoutInnerZeroBytes(grant.exchangeRate) };
}

/**
 *
 *
 * The number with each zero byte after its first byte set to 1: the same length, and larger by less than one part in 128.
 */
function withoutInnerZeroBytes(value: bigint): bigint {
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return BigInt(`0x${Buffer.from(bytes.map((byte) => (byte === 0 ? 1 : byte))).toString('hex')}`);
}
