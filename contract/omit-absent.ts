/** An object type in which a property that could be `undefined` may be absent instead. */
export type OmitAbsent<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Drops the properties that are `undefined`: an absent field arrives as an absent property. */
export function omitAbsent<T extends object>(fields: T): OmitAbsent<T> {
  const present: { [K in keyof T]?: T[K] } = {};
  // Every answer does this dozens of times, and a list of the names would take twice as long.
  for (const name in fields) {
    if (fields[name] !== undefined) present[name] = fields[name];
  }
  // The compiler cannot infer the omitted fields; the loop matches the type.
  return present as T as OmitAbsent<T>;
}
