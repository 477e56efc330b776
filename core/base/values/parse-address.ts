import { type Address, checksumAddress, zeroAddress } from 'viem';

/**
 * Parses an address: all lower case, all upper case, or mixed with a correct EIP-55 checksum. Returns it checksummed, or
 * undefined for any other text and for the zero address, which no one owns.
 */
export function parseAddress(text: string): Address | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  const digits = text.slice(2);
  const lowerCase = digits.toLowerCase();
  const checksummed = checksumAddress(`0x${lowerCase}`);
  if (checksummed === zeroAddress) return undefined;
  const uniform = digits === lowerCase || digits === digits.toUpperCase();
  return uniform || text === checksummed ? checksummed : undefined;
}
