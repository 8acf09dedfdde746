/** Text option of the command line, `--name=text`. */
export function word(name: string, standard: string): string {
  const flag = `--${name}=`
  const found = process.argv.find((argument) => argument.startsWith(flag))
  return found === undefined ? standard : found.slice(flag.length)
}

/** Number option of the command line, `--name=5`. */
export function option(name: string, standard: number): number {
  return Number(word(name, String(standard)))
}

/** List option of the command line, `--name=1,8`. */
export function numbers(name: string, standard: number[]): number[] {
  return word(name, standard.join(',')).split(',').filter(Boolean).map(Number)
}
