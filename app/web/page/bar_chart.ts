/** A bar of a plot. */
export interface Bar {
  label: string
  value: number
  /** Whether the value is a lower bound. */
  isCut: boolean
  x: number
  y: number
  width: number
  height: number
}

/** A plot of upright bars, in units of its view box. */
export interface BarChart {
  width: number
  height: number
  bars: Bar[]
  /** The value of the highest bar. */
  maximum: number
}

const CHART_SIZE = { width: 560, height: 96, gap: 6, least: 2 }

/** Bars side by side; the highest has the height of the plot, and non-zero ones are visible. */
export function barChart(
  values: readonly { label: string; value: number; isCut: boolean }[]
): BarChart {
  const { width, height, gap, least } = CHART_SIZE
  const maximum = Math.max(0, ...values.map(({ value }) => value))
  const step = width / Math.max(1, values.length)
  const bars = values.map(({ label, value, isCut }, index) => {
    const high = value === 0 ? 0 : Math.max(least, Math.round((value / maximum) * height))
    return {
      label,
      value,
      isCut,
      x: Math.round(index * step),
      y: height - high,
      width: Math.round(step - gap),
      height: high,
    }
  })
  return { width, height, bars, maximum }
}
