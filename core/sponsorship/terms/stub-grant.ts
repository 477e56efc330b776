import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';

/** Latest time of 32 bits, in Unix seconds: no zero byte among those that a real time has in use. */
const lateTime = 0xffff_ffff;
/**
 * Latest time that no EntryPoint takes for the number of a block (47 bits). With it the stub of token mode has two bytes more
 * that are not zero, as what is taken in advance may have in what is signed. The stub itself takes nothing: estimates could not
 * give it back.
 */
const latestTime = 2 ** 47 - 1;
/** A time long past whose bytes in use are not zero either. */
const pastTime = 0x0101_0101;

/**
 * A grant for a stub: what is signed later has at least as many zero bytes, so that calldata gas estimated with the stub
 * suffices (ERC-7677). The window is one that is open now, as that of the real grant.
 */
export function stubGrant(grant: Grant): Grant {
  const window = { validUntil: lateTime, validAfter: pastTime };
  if (grant.mode === 'SPONSORED') return { ...grant, ...window };
  return { ...grant, ...window, validUntil: latestTime, exchangeRate: withoutInnerZeroBytes(grant.exchangeRate) };
}

/** The number with each zero byte after its first byte made 1: as long, and larger by less than one part in 128. */
function withoutInnerZeroBytes(value: bigint): bigint {
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return BigInt(`0x${Buffer.from(bytes.map((byte) => (byte === 0 ? 1 : byte))).toString('hex')}`);
}
