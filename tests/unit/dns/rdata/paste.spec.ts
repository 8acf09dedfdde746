import { test } from '@japa/runner'
import fc from 'fast-check'
import { csvLine, csvRows } from '#dns/paste/csv'
import { formatOf, readRecords, type TextFormat } from '#dns/paste/read_records'

const read = (text: string, format: TextFormat = formatOf(text)) =>
  readRecords(text, { format, origin: 'alpha.example', defaultTtl: 3600 })

/** Returns records as short lines. */
const lines = (text: string, format?: TextFormat) =>
  read(text, format).records.map(
    ({ name, ttl, type, record }) =>
      `${name} ${ttl} ${type} ${record.priority} ${record.content}${record.disabled ? ' off' : ''}`
  )

const problems = (text: string, format?: TextFormat) =>
  read(text, format).problems.map(({ line, field, severity }) => `${line} ${field} ${severity}`)

test.group('Pasted records', () => {
  test('the format of a text is detected')
    .with<[string, TextFormat][]>([
      ['$ORIGIN alpha.example.\n@ 300 IN A 192.0.2.1\n', 'zone'],
      ['www\t300\tA\t192.0.2.1\n', 'zone'],
      ['www 300 IN TXT "a, A, b"\n', 'zone'],
      ['; a comment, A, 300, x\nwww A 192.0.2.1\n', 'zone'],
      ['; a note; A; 192.0.2.1\nwww A 192.0.2.1\n', 'zone'],
      ['', 'zone'],
      ['\n; <<>> DiG 9.18 <<>> alpha.example\nwww.alpha.example. 300 IN A 192.0.2.1\n', 'dig'],
      [';; ANSWER SECTION:\nwww.alpha.example. 300 IN A 192.0.2.1\n', 'dig'],
      [';; Query time: 3 msec\n', 'dig'],
      ['www,300,A,192.0.2.1\n', 'csv'],
      ['www,A,192.0.2.1\n', 'csv'],
      ['www;300;aaaa;2001:db8::1\n', 'csv'],
      ['\n\nName,Type,Value\nwww,A,192.0.2.1\n', 'csv'],
      ['"www","300","A","192.0.2.1"\n', 'csv'],
    ])
    .run(({ assert }, [text, format]) => {
      assert.equal(formatOf(text), format)
    })

  test('rows are read in every layout')
    .with<[string, string[]][]>([
      ['www,300,A,192.0.2.1', ['www.alpha.example 300 A 0 192.0.2.1']],
      ['www,,A,192.0.2.1', ['www.alpha.example 3600 A 0 192.0.2.1']],
      ['www.alpha.example,1h,a,192.0.2.1', ['www.alpha.example 3600 A 0 192.0.2.1']],
      ['@,MX,mail.example.net,10,300', ['alpha.example 300 MX 10 mail.example.net']],
      ['@,300,MX,10 mail.example.net.', ['alpha.example 300 MX 10 mail.example.net']],
      [
        '_sip._tcp,300,SRV,5 1 5060 h.example',
        ['_sip._tcp.alpha.example 300 SRV 5 1 5060 h.example'],
      ],
      ['content;type;name;comment\n192.0.2.1;A;www;x', ['www.alpha.example 3600 A 0 192.0.2.1']],
      ['www,300,A,192.0.2.1,,yes', ['www.alpha.example 300 A 0 192.0.2.1 off']],
      ['@,60,TXT,"say ""hi"""', ['alpha.example 60 TXT 0 "say \\"hi\\""']],
      ['@,60,TXT,"""a b"""', ['alpha.example 60 TXT 0 "a b"']],
      [
        'a,60,A,192.0.2.1\r\n\r\nb,60,A,192.0.2.2\r\n',
        ['a.alpha.example 60 A 0 192.0.2.1', 'b.alpha.example 60 A 0 192.0.2.2'],
      ],
    ])
    .run(({ assert }, [text, expected]) => {
      assert.deepEqual(problems(text), [])
      assert.deepEqual(lines(text), expected)
    })

  test('errors have line numbers')
    .with<[string, string[]][]>([
      ['www,300,A,x', ['1 content error']],
      ['www,300,A,192.0.2.1\nwww,300,A,192.0.2.1', ['2 content warning']],
      [
        'www,300,A,192.0.2.1\n\n"a\nb",300,A,192.0.2.1\nx,300,A,y',
        ['3 name error', '5 content error'],
      ],
      ['www,300,A,192.0.2.1\nx,300,A,"y', ['2 syntax error']],
      ['www,300,A,"192.0.2.1', ['1 syntax error']],
      ['www,300,A,192.0.2.1,70000', ['1 priority error']],
      ['www,300,A,192.0.2.1,,maybe', ['1 disabled error']],
      ['www,300,A,192.0.2.1\nwww,300', ['2 type error']],
      ['www.other.example.,300,A,192.0.2.1', ['1 name error']],
      ['nothing of this', ['1 syntax error']],
    ])
    .run(({ assert }, [text, expected]) => {
      assert.deepEqual(problems(text, 'csv'), expected)
    })

  test('the first hundred errors are returned', ({ assert }) => {
    const text = 'www,300,A,x\n'.repeat(500)
    assert.lengthOf(problems(text, 'csv'), 100)
  })

  test('comments of dig are ignored, and an interrupted transfer is an error', ({ assert }) => {
    const text = `; <<>> DiG 9.18 <<>> axfr
;; ANSWER SECTION:
www.alpha.example. 300 IN A 192.0.2.1
ns.other.example. 300 IN A 192.0.2.2
`
    const { comments } = read(text)
    assert.deepEqual(comments, [])
    assert.deepEqual(lines(text), ['www.alpha.example 300 A 0 192.0.2.1'])
    assert.deepEqual(problems(text), ['4 name warning'])
    assert.include(problems(`${text}; Transfer failed.\n`).join('\n'), 'error')
  })

  test('a cell {0} is written as {1}')
    .with([
      ['=1+1', "'=1+1"],
      ['+49', "'+49"],
      ['-all', "'-all"],
      ['@SUM(1)', "'@SUM(1)"],
      ['\t=1', "'\t=1"],
      ["'=1", "''=1"],
      ['@', '@'],
      ['-5', '-5'],
      ['v=spf1', 'v=spf1'],
      ["'", "'"],
    ])
    .run(({ assert }, [cell, written]) => {
      assert.equal(csvLine([cell, -1]), `${written},-1\r\n`)
      const [row] = csvRows(csvLine([cell, 'x']), ',')
      assert.deepEqual(row.cells, [cell, 'x'])
    })

  test('a written row is read as the same row', () => {
    const cells = fc.array(fc.string({ unit: fc.constantFrom(...'a ",;\n\r\té\'=+-@') }), {
      minLength: 1,
      maxLength: 5,
    })
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 4 }), (rows) => {
        const filled = rows.filter((row) => row.some((cell) => cell !== ''))
        const text = filled.map((row) => csvLine(row)).join('')
        const back = [...csvRows(text, ',')].map((row) => row.cells)
        return JSON.stringify(back) === JSON.stringify(filled)
      })
    )
  })

  test('no text throws', () => {
    const piece = fc.constantFrom(
      'www',
      ',',
      ';',
      '"',
      '\n',
      'A',
      '300',
      '192.0.2.1',
      ' ',
      'name',
      'type',
      'content'
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        read(pieces.join(''), 'csv')
        read(pieces.join(''))
      })
    )
  })
})
