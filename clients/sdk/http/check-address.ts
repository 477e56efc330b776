/** Throws a `TypeError` that names `option` unless its value is an http or https URL. Never quotes the value. */
export function checkAddress(option: string, value: string): void {
  const isHttp = /^https?:\/\//i.test(value) && URL.canParse(value);
  if (!isHttp) throw new TypeError(`${option} must be an http or https URL.`);
}
