import { type DocLinkName, docLinks, refusalPath } from './doc-links.ts';

/** A link to what the documents say of it. It opens next to the page, which may hold a draft. */
export function DocLink({ to }: { readonly to: DocLinkName }) {
  const { text, path } = docLinks[to];
  return <NewTab path={path} text={text} />;
}

/** A link to what a refusal's reason means, and how to fix it. */
export function RefusalDocLink({ reason }: { readonly reason: string }) {
  return <NewTab path={refusalPath(reason)} text={`All about ${reason}`} />;
}

function NewTab({ path, text }: { readonly path: string; readonly text: string }) {
  return (
    <a href={`/docs/${path}`} target="_blank" rel="noopener" className="doc-link">
      {text}
      <span className="only-read"> (documentation, opens in a new tab)</span>
    </a>
  );
}
