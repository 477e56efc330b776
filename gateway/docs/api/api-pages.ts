import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { DocPage } from '../doc-page.ts';
import { cell, fieldTable, type Schema, typeOf } from './describe-fields.ts';

const { resolve } = createRequire(import.meta.url);

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
  const { paths }: Document = JSON.parse(readFileSync(resolve('@tollfree/contract/reference.json'), 'utf8'));
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
[management API](/docs/reference/management), [refusals](/docs/reference/refusals).

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
