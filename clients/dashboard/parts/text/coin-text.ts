const decimals = 18;
const shown = 6;

/** Wei in units of the chain's coin, cut to six decimals; smaller amounts are shown as such. */
export function coinText(wei: string): string {
  if (wei.startsWith('-')) return `−${coinText(wei.slice(1))}`;
  const digits = wei.padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals);
  const fraction = digits.slice(-decimals);
  const cut = fraction.slice(0, shown).replace(/0+$/, '');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  if (whole === '0' && cut === '' && /[1-9]/.test(fraction)) return '< 0.000001';
  return cut === '' ? grouped : `${grouped}.${cut}`;
}
