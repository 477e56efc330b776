import type { GasTankDayItem } from '@tollfree/contract/tank/gas-tank-statement';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';

const weiPerCoin = 1e18;

/** What was in the tank at the end of each day. It says nothing that the table does not, so screen readers skip it. */
export function BalanceChart({ days }: { readonly days: readonly GasTankDayItem[] }) {
  const data = days.map(({ day, balance }) => ({ day: day.slice(5), balance: Number(balance) / weiPerCoin }));
  return (
    <div className="chart" aria-hidden="true">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={data} accessibilityLayer={false} margin={{ top: 4, right: 4, bottom: 0, left: 0 }}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis dataKey="day" stroke="var(--muted)" tickLine={false} minTickGap={24} />
          <YAxis stroke="var(--muted)" tickLine={false} axisLine={false} width={52} tickFormatter={short} />
          <Tooltip
            cursor={{ fill: 'var(--sunken)' }}
            contentStyle={{ background: 'var(--surface)', border: '1px solid var(--line)', borderRadius: 8 }}
            formatter={(value) => [short(Number(value)), 'Balance']}
          />
          <Bar dataKey="balance" fill="var(--accent)" maxBarSize={24} isAnimationActive={false} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

function short(coins: number): string {
  return coins.toLocaleString(undefined, { maximumSignificantDigits: 4 });
}
