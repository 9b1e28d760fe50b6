import { decodeEntities } from '../../../nodes/ProfilePage/shared/values';

test.each([
	['Don&#39;t', "Don't"],
	['Don&#039;t &#x27;stop&#X27;', "Don't 'stop'"],
	['Rock &amp; Roll &#8211; It&#8217;s', 'Rock & Roll – It’s'],
	['&quot;a&quot; &lt;b&gt; &apos;c&apos;', '"a" <b> \'c\''],
	['a&nbsp;b', 'a\u00A0b'],
	['&#128512; &#x1F600;', '😀 😀'],
	['&AMP;', '&'],
])('The entities in %j are decoded', (text, decoded) => {
	expect(decodeEntities(text)).toBe(decoded);
});

test('What is encoded twice is decoded once', () => {
	expect(decodeEntities('&amp;#39; &amp;amp;')).toBe('&#39; &amp;');
});

test.each([
	'AT&T; R&D',
	'&copy; &constructor;',
	'&#; &#x; &#xg;',
	'&#0; &#10; &#x7f;',
	'&#xD800; &#x110000; &#9999999999;',
	'& amp;',
])('%j stays as it is', (text) => {
	expect(decodeEntities(text)).toBe(text);
});
