import type { FieldSchema } from './field-schema.ts';

export type SchemaFieldProps = {
  readonly name: string;
  readonly schema: FieldSchema;
  /** Undefined: the policy does not have the field. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** The fields next to it, where it is one of a group. */
  readonly group?: Readonly<Record<string, unknown>>;
};
