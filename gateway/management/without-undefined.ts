/** The fields that are there: one that is undefined is left out, and so is its being allowed to be. */
export function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name] } & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
} {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as ReturnType<typeof withoutUndefined<Fields>>; // of the same names
}
