import { readContractDocument } from './contract-documents.ts';
import type { DocPage } from './doc-page.ts';

type Body = {
  readonly content?: { readonly 'application/json'?: { readonly schema?: Schema; readonly example?: unknown } };
};
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
};
type Operation = {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body & { readonly description?: string }>>;
};
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** One operation, with its method and path. */
type Called = { readonly method: string; readonly address: string; readonly operation: Operation };

/** The OpenAPI document has a path for each RPC method, with the method's name after a `#`. */
function readOperations(): readonly Called[] {
  const { paths }: Document = JSON.parse(readContractDocument('reference.json'));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      address: path.split('#')[0] ?? path,
      operation,
    })),
  );
}

/** The API reference as pages: the list of operations at `/docs/api`, and a page for each. */
export function apiPages(): readonly DocPage[] {
  const operations = readOperations();
  return [listPage(operations), ...operations.map(operationPage)];
}

function nameOf({ operationId }: Operation): string {
  return operationId.replace(/[^\w-]+/g, '-');
}

function titleOf({ summary, operationId }: Operation): string {
  return summary ?? operationId;
}

function listPage(operations: readonly Called[]): DocPage {
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags?.slice(0, 1) ?? []))];
  const sections = tags.map((tag) => {
    const rows = operations
      .filter(({ operation }) => operation.tags?.[0] === tag)
      .map(({ method, address, operation }) => {
        const link = `[${cell(titleOf(operation))}](/docs/api/${nameOf(operation)})`;
        return `| ${link} | \`${method} ${address.replace('/api/v2/public/sdk', '')}\` |`;
      });
    return `## ${tag === 'rpc' ? 'RPC methods' : tag}\n\n| operation | request |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  const text = (): string => `# API reference

Every RPC method and every operation of the management API, with its fields and answers. The management paths are below
\`/api/v2/public/sdk\`. For programs there is [the OpenAPI document](/openapi.json). Guides: [RPC endpoint](/docs/reference/rpc),
[management API](/docs/reference/management), [refusals](/docs/refusals).

${sections.join('\n')}`;
  return { path: '/docs/api', title: 'API reference', text };
}

function operationPage({ method, address, operation }: Called): DocPage {
  const title = titleOf(operation);
  const body = operation.requestBody?.content?.['application/json'];
  const text = (): string =>
    [
      `# ${title}\n\n\`${method} ${address}\`\n\n`,
      operation.description === undefined ? '' : `${operation.description}\n\n`,
      parameterTable(operation.parameters ?? []),
      fieldTable('Body', body?.schema),
      body?.example === undefined ? '' : `## Example\n\n${curl(address, body.example)}`,
      ...Object.entries(operation.responses).map(([status, { content }]) =>
        status.startsWith('2') ? fieldTable(`Answer ${status}`, content?.['application/json']?.schema) : '',
      ),
      answerTable(operation.responses),
      '[All operations](/docs/api)\n',
    ].join('');
  return { path: `/docs/api/${nameOf(operation)}`, title, text };
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    ({ name, in: where, required, description = '', schema = {} }) =>
      `| \`${name}\` | ${where} | ${cell(typeOf(schema))} | ${required === true ? 'yes' : 'no'} | ${cell(description)} |`,
  );
  if (rows.length === 0) return '';
  const head = '| parameter | in | type | required | meaning |\n| --- | --- | --- | --- | --- |';
  return `## Parameters\n\n${head}\n${rows.join('\n')}\n\n`;
}

function answerTable(responses: Operation['responses']): string {
  const rows = Object.entries(responses).map(
    ([status, { description = '' }]) => `| ${status} | ${cell(description)} |`,
  );
  return `## Statuses\n\n| HTTP | meaning |\n| --- | --- |\n${rows.join('\n')}\n\n`;
}

/** A curl command to copy, with example values. */
function curl(address: string, example: unknown): string {
  const data = JSON.stringify(example, null, 2);
  return `\`\`\`sh\ncurl "$SERVICE_URL${address}" -H 'content-type: application/json' -d '${data}'\n\`\`\`\n\n`;
}

/** The displayed parts of a JSON Schema in the OpenAPI document. */
type Schema = {
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
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

/** The type of a value, in a few words. */
function typeOf(schema: Schema): string {
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
function fieldTable(title: string, schema: Schema | undefined): string {
  const rows = schema === undefined ? [] : describeFields(schema);
  if (rows.length === 0) return '';
  return `## ${title}\n\n| field | type | required | meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n\n`;
}
