/**
 * How Scalar shows the document: without what it would fetch from or send to its makers, and without keeping credentials
 * that somebody tries a call with.
 */
const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  proxyUrl: '',
  defaultOpenFirstTag: false,
  metaData: { title: 'Tollfree' },
} as const;

function quoteAttribute(text: string): string {
  return `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}

/** The page at `/docs`: Scalar over the document at `documentPath`, with no script of its own. */
export function renderReferencePage(scriptPath: string, documentPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Tollfree</title>
<link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
</head>
<body>
<noscript>This reference needs JavaScript. The document it shows is <a href="/openapi.json">openapi.json</a>.</noscript>
<script id="api-reference" data-url=${quoteAttribute(documentPath)} data-configuration=${quoteAttribute(JSON.stringify(configuration))}></script>
<script src=${quoteAttribute(scriptPath)}></script>
</body>
</html>
`;
}
