/** The same object type in which a property that could be `undefined` may be absent instead. */
export type OmitAbsent<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Drops the properties that are `undefined`: an absent field arrives as an absent property. */
export function omitAbsent<T extends object>(fields: T): OmitAbsent<T> {
  // The compiler cannot follow a filter over entries; the filter does just what the type says.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as OmitAbsent<T>;
}
