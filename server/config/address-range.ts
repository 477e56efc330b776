import { isIP } from 'node:net';

/** Whether a text is an address or a CIDR range, like `10.0.0.1` or `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
