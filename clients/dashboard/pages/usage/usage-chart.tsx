import type { UsageItem } from '@tollfree/contract/usage';
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';

const most = 31;

/** Signed and refused answers as bars. It says nothing that the table does not, so screen readers skip it. */
export function UsageChart({ rows }: { readonly rows: readonly UsageItem[] }) {
  const data = rows
    .slice(-most)
    .map(({ key, decisions: { signed, refused } }) => ({ key: label(key), signed, refused }));
  return (
    <div className="chart" aria-hidden="true">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={data} accessibilityLayer={false} margin={{ top: 4, right: 4, bottom: 0, left: -16 }}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis dataKey="key" stroke="var(--muted)" tickLine={false} minTickGap={16} />
          <YAxis allowDecimals={false} stroke="var(--muted)" tickLine={false} axisLine={false} />
          <Tooltip
            cursor={{ fill: 'var(--sunken)' }}
            contentStyle={{ background: 'var(--surface)', border: '1px solid var(--line)', borderRadius: 8 }}
          />
          <Legend iconType="circle" iconSize={8} />
          <Bar
            dataKey="signed"
            name="Signed"
            stackId="all"
            fill="var(--accent)"
            maxBarSize={40}
            isAnimationActive={false}
          />
          <Bar
            dataKey="refused"
            name="Refused"
            stackId="all"
            fill="var(--bad)"
            maxBarSize={40}
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

function label(key: string): string {
  if (/^\d{4}-/.test(key)) return key.slice(5);
  return key.length > 12 ? `${key.slice(0, 6)}…${key.slice(-4)}` : key;
}
