import { locale } from './moment-text.ts';

/** USD in readable form: `$1,234.56`; below a cent with as many digits as needed. */
export function usdText(text: string): string {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const isTiny = whole === '0' && /^00?0?0?0?[1-9]/.test(fraction) && Number(`0.${fraction}`) < 0.01;
  const cents = isTiny ? fraction.replace(/0+$/, '') : roundCents(fraction);
  const [carried, shown] = cents === '100' ? [String(BigInt(whole) + 1n), '00'] : [whole, cents];
  return `${text.startsWith('-') ? '−' : ''}$${carried.replace(/\B(?=(\d{3})+$)/g, ',')}.${shown}`;
}

/** An estimate in USD: whole dollars from a thousand on. */
export function aboutUsd(text: string): string {
  const usd = Number(text);
  return Math.abs(usd) < 1_000 ? usdText(text) : usdText(String(Math.round(usd))).replace('.00', '');
}

function roundCents(fraction: string): string {
  // A whole number, since 0.285 times 100 is less than 28.5.
  const rounded = Math.round(Number(fraction.slice(0, 6).padEnd(6, '0')) / 10_000);
  return rounded === 100 ? '100' : String(rounded).padStart(2, '0');
}

/** Wei at a price in millionths of a USD per coin, as decimal text with six decimals. */
export function usdOfWei(wei: string, microsPerCoin: string): string {
  const micros = (BigInt(wei) * BigInt(microsPerCoin)) / 10n ** 18n;
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0');
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

const coinDecimals = 18;
const shown = 6;

/** Wei in units of the chain's coin, cut to six decimals; smaller amounts are shown as such. */
export function coinText(wei: string): string {
  return unitsText(wei, coinDecimals);
}

/** Base units of a token with these decimals in whole tokens, cut to six decimals; smaller amounts are shown as such. */
export function unitsText(amount: string, decimals: number): string {
  if (amount.startsWith('-')) return `−${unitsText(amount.slice(1), decimals)}`;
  const digits = amount.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const [whole, fraction] = [digits.slice(0, point), digits.slice(point)];
  const cut = fraction.slice(0, shown).replace(/0+$/, '');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  if (whole === '0' && cut === '' && /[1-9]/.test(fraction)) return '< 0.000001';
  return cut === '' ? grouped : `${grouped}.${cut}`;
}

/** Base units of a token in whole tokens, rounded: `0.43`, and two digits of less than a tenth, such as `0.0012`. */
export function aboutUnits(amount: string, decimals: number): string {
  const units = Number(amount) / 10 ** decimals;
  if (units < 0.1) return units.toLocaleString(locale, { maximumSignificantDigits: 2 });
  return units.toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
