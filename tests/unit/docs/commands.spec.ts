import { readFileSync, readdirSync } from 'node:fs'
import { test } from '@japa/runner'

const ROOT = new URL('../../../', import.meta.url)

/** What a command says of itself: the members that the framework derives from its decorators. */
interface CommandClass {
  boot(): void
  commandName: string
  args: { argumentName: string }[]
  flags: { flagName: string }[]
}

/** Name, arguments and options of every command, as a row of the table. */
async function declared(): Promise<string[]> {
  const rows: string[] = []
  for (const file of readdirSync(new URL('commands/', ROOT))) {
    const { default: command } = (await import(new URL(`commands/${file}`, ROOT).href)) as {
      default: CommandClass
    }
    command.boot()
    const words = command.args.map(({ argumentName }) => `\`<${argumentName}>\``)
    const options = command.flags.map(({ flagName }) => `\`--${flagName}\``)
    rows.push([`\`${command.commandName}\``, words.join(' '), options.join(', ')].join(' | '))
  }
  return rows.sort()
}

/** The same of the page. */
function documented(page: string): string[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const cells = line.split('|').map((cell) => cell.trim())
      return cells.slice(1, 4).join(' | ')
    })
    .sort()
}

test.group('docs/commands.md', () => {
  const page = readFileSync(new URL('docs/commands.md', ROOT), 'utf8')

  test('lists every command with its arguments and options', async ({ assert }) => {
    assert.deepEqual(documented(page), await declared())
  })

  test('has a section about every command', ({ assert }) => {
    const told = page
      .split('\n')
      .filter((line) => line.startsWith('## '))
      .flatMap((line) => line.slice(3).split(', '))
    const names = documented(page).map((row) => row.split('`')[1])
    assert.includeMembers(told, names)
  })
})
