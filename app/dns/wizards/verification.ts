import {
  NAME_FIELD,
  nameBelow,
  Problems,
  textContent,
  textOf,
  valueOf,
  type Wizard,
} from '#dns/wizards/wizard'

const MAX_TEXT_CHARACTERS = 2048

/** A text that proves control of a domain to a service. */
export const verification: Wizard = {
  kind: 'verification',
  fields: [
    { ...NAME_FIELD, label: 'verification_name' },
    { name: 'text', kind: 'area', hint: true },
  ],
  reads: (values, apex) => [{ name: nameBelow('', values, apex), type: 'TXT' }],
  load: (values) => values,
  make(values, { apex, existing }) {
    const problems = new Problems()
    const name = problems.try('name', () => nameBelow('', values, apex)) ?? apex
    // Services display it in quotes, which belong to zone files.
    const text = valueOf(values, 'text').replace(/^"([^"]*)"$/, '$1')
    if (text === '') problems.add('text', 'verification_no_text')
    if (text.length > MAX_TEXT_CHARACTERS)
      problems.add('text', 'verification_long', { most: MAX_TEXT_CHARACTERS })
    if (/\p{Cc}/u.test(text)) problems.add('text', 'verification_lines')
    const [key] = text.split('=')
    const otherRecords = existing.filter((record) => {
      const storedText = textOf(record.content)
      return record.name === name && storedText !== text && storedText.startsWith(`${key}=`)
    })
    const content = textContent(text)
    return {
      // Each account at a service has a separate text.
      requested: [
        {
          name,
          type: 'TXT',
          role: `verification ${content}`,
          records: [{ content }],
          isOwn: (it) => it.content === content,
        },
      ],
      problems: problems.all,
      hints:
        otherRecords.length > 0 && text.includes('=')
          ? [{ text: 'verification_others', values: { key, count: otherRecords.length } }]
          : [],
    }
  },
}
