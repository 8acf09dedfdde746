const BROWSERS: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]

const SYSTEMS: [name: string, pattern: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/** Name of browser and system, such as `Firefox, Linux`; null if unknown. */
export function agentName(agent: string): string | null {
  const names = [BROWSERS, SYSTEMS].flatMap(
    (known) => known.find(([, pattern]) => pattern.test(agent))?.[0] ?? []
  )
  return names.length > 0 ? names.join(', ') : null
}
