import { parser } from '@prometheus-io/lezer-promql';

/** What an expression asks of one metric: labels that are compared with a text, and what they have to be. */
export type Selected = {
  readonly name: string;
  readonly labels: readonly string[];
  /** Of the labels that have to be equal to one text. */
  readonly equal: Readonly<Record<string, string>>;
};

/** The metrics that an expression of PromQL names, and the labels that it groups by. Throws for one that does not parse. */
export function readExpression(expression: string): {
  readonly selected: readonly Selected[];
  readonly grouped: readonly string[];
} {
  const tree = parser.parse(expression);
  const textOf = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  const selected: Selected[] = [];
  const grouped: string[] = [];
  tree.iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`Not PromQL at ${node.from}: ${expression}`);
      if (node.name === 'GroupingLabels')
        grouped.push(
          ...textOf(node)
            .replace(/[()\s]/g, '')
            .split(',')
            .filter(Boolean),
        );
      if (node.name !== 'VectorSelector') return;
      const name = node.node.getChild('Identifier');
      if (name === null) throw new Error(`A selector without a name: ${expression}`);
      const matchers = node.node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      const parts = matchers.map((matcher) => /^\s*(\w+)\s*(=~|!=|!~|=)\s*"(.*)"\s*$/.exec(textOf(matcher)) ?? []);
      selected.push({
        name: textOf(name),
        labels: parts.map(([, label = '']) => label),
        equal: Object.fromEntries(parts.filter(([, , sign]) => sign === '=').map(([, label, , text]) => [label, text])),
      });
    },
  });
  return { selected, grouped };
}
