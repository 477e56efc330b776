import { useQuery } from '@tanstack/react-query';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type ReadUsageQuery, type UsageItem, usageDimensions } from '@tollfree/contract/usage';
import { lazy, Suspense, useState } from 'react';
import { usageQuery } from '../../api/of-paymaster.ts';
import { saveCsv } from '../../csv/save-csv.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { csvText } from './csv-text.ts';
import { UsageTable } from './usage-table.tsx';

const UsageChart = lazy(async () => ({ default: (await import('./usage-chart.tsx')).UsageChart }));

const words: Readonly<Record<ReadUsageQuery['by'], string>> = {
  day: 'Day',
  sender: 'Sender',
  contract: 'Contract',
  method: 'Method',
  token: 'Token',
  attribution: 'Attribution code',
  outcome: 'Answer',
};

const severalCalls =
  'An operation with several calls counts once for each, so these rows add up to more than the total.';
const leads: Readonly<Partial<Record<ReadUsageQuery['by'], string>>> = {
  contract: severalCalls,
  method: severalCalls,
  attribution:
    'Codes that wallets and apps append to call data (ERC-8021). They are not verified. Operations without a code are in no row.',
};

/** What the paymaster was used for and what that has cost. */
export function UsagePage() {
  const paymaster = usePaymaster();
  const [query, setQuery] = useState<ReadUsageQuery>({ by: 'day' });
  const usage = useQuery(usageQuery(paymaster, query));
  const { by } = query;
  const title = words[by];
  return (
    <Page
      title="Usage"
      lead="Answers and cost, by default for the last 30 days. Days are in UTC."
      actions={
        <Button
          isDisabled={(usage.data?.length ?? 0) === 0}
          onPress={() => saveCsv(`${paymaster.name} by ${by}.csv`, csvText(title, usage.data ?? []))}
        >
          Save as CSV
        </Button>
      }
    >
      <section aria-label="Options" className="form-row">
        <Choice
          label="Group by"
          value={by}
          options={usageDimensions.map((value) => ({ value, text: words[value] }))}
          onChange={(next) => setQuery({ ...query, by: next })}
        />
        <TextInput label="From" type="date" onChange={(day) => setQuery({ ...query, from: day || undefined })} />
        <TextInput label="Until" type="date" onChange={(day) => setQuery({ ...query, until: day || undefined })} />
      </section>
      <Loaded query={usage}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No requests on these days.">
              Requests to the RPC URL of the page Connect are counted here.
            </Empty>
          ) : (
            <Usage
              rows={by === 'day' ? rows.toSorted((one, other) => (one.key < other.key ? -1 : 1)) : rows}
              by={by}
              title={title}
            />
          )
        }
      </Loaded>
    </Page>
  );
}

type UsageProps = { readonly rows: readonly UsageItem[]; readonly by: ReadUsageQuery['by']; readonly title: string };

function Usage({ rows, by, title }: UsageProps) {
  return (
    <>
      <Card title={by === 'day' ? 'Answers a day' : `Answers by ${title.toLowerCase()}`}>
        <Suspense fallback={<Loading />}>
          <UsageChart rows={rows} />
        </Suspense>
      </Card>
      <Card title="Table" {...omitAbsent({ lead: leads[by] })}>
        <UsageTable rows={rows} title={title} />
      </Card>
    </>
  );
}
