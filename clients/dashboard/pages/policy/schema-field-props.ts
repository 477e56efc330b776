import type { FieldSchema } from './field-schema.ts';

export type SchemaFieldProps = {
  readonly name: string;
  readonly schema: FieldSchema;
  /** Undefined: the policy does not have the field. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** The other fields of its group, if it is in one. */
  readonly group?: Readonly<Record<string, unknown>>;
};
