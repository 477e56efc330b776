import type { Documentation } from './doc-pages.ts';

const summary =
  'Self-hosted gas sponsorship for ERC-4337 smart accounts: an ERC-7677 paymaster service with policies, limits, webhooks, ' +
  'token payments and a ledger that reconciles with the chain.';

/** The index for language models (llms.txt): every page as Markdown, with a summary. */
export function writeLlmsIndex({ groups }: Documentation): string {
  const sections = groups.map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${page.path}.md): ${page.about}`);
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  const reference =
    '- [API reference](/docs/api.md): every operation\n- [OpenAPI document](/openapi.json): for programs\n';
  return `# Tollfree\n\n> ${summary}\n\n${sections.join('\n')}\n## API\n\n${reference}`;
}

/** All pages of the index in one text (llms-full.txt), each after its address. */
export function writeLlmsFull({ groups, pages }: Documentation): string {
  const texts = groups.flatMap((group) =>
    group.pages.flatMap(({ path }) => {
      const page = pages.get(path);
      return page === undefined ? [] : [`<!-- ${path}.md -->\n\n${page.text().trim()}\n`];
    }),
  );
  return `# Tollfree\n\n> ${summary}\n\n${texts.join('\n')}`;
}
