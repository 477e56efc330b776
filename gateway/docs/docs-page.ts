/** What the page shows of an OpenAPI document. */
type Operation = {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly { name: string; in: string; required?: boolean; description?: string }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> };
  readonly responses: Readonly<
    Record<string, { description: string; content?: Readonly<Record<string, { readonly schema?: unknown }>> }>
  >;
};
type Document = {
  readonly info: { readonly title: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
};

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24 }
h2 { margin-top: 2.5rem; border-top: 1px solid #d5d9de; padding-top: 1rem; font-size: 1.1rem }
code, pre { font: 14px/1.4 ui-monospace, monospace; background: #f4f5f7; border-radius: 4px }
code { padding: .1em .3em } pre { padding: .8rem; overflow: auto; max-height: 24rem }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700 }
dt { font-weight: 600; margin-top: .5rem } dd { margin-left: 1.5rem; white-space: pre-line }
summary { cursor: pointer }
@media (prefers-color-scheme: dark) { body { background: #14171a; color: #e4e7ea } code, pre { background: #22262b } }
`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

function schemaBlock(title: string, schema: unknown): string {
  const text = escapeHtml(JSON.stringify(schema, null, 2));
  return `<details><summary>${escapeHtml(title)}</summary><pre>${text}</pre></details>`;
}

function parameterList(operation: Operation): string {
  const rows = (operation.parameters ?? []).map((parameter) => {
    const need = parameter.required ? 'required' : 'optional';
    const where = `${escapeHtml(parameter.in)}, ${need}`;
    return `<dt><code>${escapeHtml(parameter.name)}</code> (${where})</dt><dd>${escapeHtml(parameter.description ?? '')}</dd>`;
  });
  return rows.length === 0 ? '' : `<h3>Parameters</h3><dl>${rows.join('')}</dl>`;
}

function responseList(operation: Operation): string {
  const rows = Object.entries(operation.responses).map(([status, { description, content }]) => {
    const schema = content?.['application/json']?.schema;
    const block = schema === undefined ? '' : schemaBlock('Body', schema);
    return `<dt>${escapeHtml(status)}</dt><dd>${escapeHtml(description)}${block}</dd>`;
  });
  return `<h3>Responses</h3><dl>${rows.join('')}</dl>`;
}

function section(path: string, method: string, operation: Operation): string {
  const body = operation.requestBody?.content?.['application/json']?.schema;
  return [
    `<section><h2><span class="method">${escapeHtml(method.toUpperCase())}</span> <code>${escapeHtml(path)}</code></h2>`,
    `<p>${escapeHtml(operation.summary ?? '')}</p>`,
    operation.description ? `<p>${escapeHtml(operation.description)}</p>` : '',
    parameterList(operation),
    body === undefined ? '' : `<h3>Request</h3>${schemaBlock('Body', body)}`,
    responseList(operation),
    '</section>',
  ].join('');
}

/** An OpenAPI document as one HTML page: no script, nothing loaded from elsewhere. */
export function renderDocsPage(document: Document): string {
  const sections = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => section(path, method, operation)),
  );
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => schemaBlock(name, schema));
  const title = escapeHtml(document.info.title);
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head><body>`,
    `<h1>${title}</h1><p>${escapeHtml(document.info.description ?? '')}</p>`,
    '<p>For programs: <a href="/openapi.json">openapi.json</a></p>',
    ...sections,
    `<h2>Schemas</h2>${schemas.join('')}`,
    '</body></html>',
  ].join('\n');
}
