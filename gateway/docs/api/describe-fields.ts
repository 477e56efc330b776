/** The displayed parts of a JSON Schema in the OpenAPI document. */
export type Schema = {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly additionalProperties?: boolean | Schema;
  readonly $ref?: string;
};

/** Deeper fields are only in the OpenAPI document. */
const maxDepth = 4;

/** Text escaped for a cell of a Markdown table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

/** The type of a value, in a few words. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  return schema.type ?? 'any JSON';
}

/** A row per field of an object, including nested ones: name, type, whether it is required, meaning. */
function describeFields(schema: Schema, prefix = '', depth = 0): readonly string[] {
  if (depth > maxDepth) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const needed = schema.required?.includes(name) === true ? 'yes' : 'no';
    const row = `| \`${path}\` | ${cell(typeOf(field))} | ${needed} | ${cell(field.description ?? '')} |`;
    return [row, ...insideOf(field, path, depth + 1)];
  });
}

/** The fields inside a value: of an object, of a list's elements, of each alternative. */
function insideOf(schema: Schema, path: string, depth: number): readonly string[] {
  const forms = schema.anyOf ?? [schema];
  const rows = forms.flatMap((form) =>
    form.items === undefined ? describeFields(form, `${path}.`, depth) : insideOf(form.items, `${path}[]`, depth),
  );
  return [...new Set(rows)];
}

/** The rows as a table; empty if there are none. */
export function fieldTable(title: string, schema: Schema | undefined): string {
  const rows = schema === undefined ? [] : describeFields(schema);
  if (rows.length === 0) return '';
  return `## ${title}\n\n| field | type | required | meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n\n`;
}
