const placeholder = Symbol('placeholder');

/** A parameter of a statement that is compiled once: `read` gets its value from the input of each run. */
export type Placeholder<T> = { readonly [placeholder]: (input: never) => T };

export function createPlaceholder<Input, T>(read: (input: Input) => T): Placeholder<T> {
  return { [placeholder]: read };
}

/** Converts a value, or each value that a placeholder will have. */
export function mapParameter<T, Mapped>(
  parameter: T | Placeholder<T>,
  map: (value: T) => Mapped,
): Mapped | Placeholder<Mapped> {
  if (!isPlaceholder(parameter)) return map(parameter);
  return createPlaceholder((input: never) => map(parameter[placeholder](input)));
}

/** The value of a compiled parameter for one run. */
export function fillIn(parameter: unknown, input: unknown): unknown {
  return isPlaceholder(parameter) ? parameter[placeholder](input as never) : parameter;
}

function isPlaceholder<T>(parameter: T | Placeholder<T>): parameter is Placeholder<T> {
  return typeof parameter === 'object' && parameter !== null && placeholder in parameter;
}
