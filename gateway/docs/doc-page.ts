/** One page of the documentation. */
export type DocPage = {
  /** Where it is served: `/docs`, `/docs/start`, `/docs/guides/tickets`; with `.md` behind it as Markdown. */
  readonly path: string;
  readonly title: string;
  /** Made when it is asked for: the API reference has a hundred pages. */
  readonly text: () => string;
};
