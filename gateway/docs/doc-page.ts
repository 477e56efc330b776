/** One page of the documentation. */
export type DocPage = {
  /** The URL path: `/docs`, `/docs/start`, `/docs/tickets`; with `.md` appended it serves Markdown. */
  readonly path: string;
  readonly title: string;
  /** Created on demand: the API reference has a hundred pages. */
  readonly text: () => string;
};
