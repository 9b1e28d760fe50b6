import { parsePathExpression } from '../../nodes/ProfilePage/fields/expression';

test.each([
	['={{ $json.page }}', ['page']],
	['={{$json.page}}', ['page']],
	['={{ $json.a.b_2.$c }}', ['a', 'b_2', '$c']],
	["={{ $json['page id'].x }}", ['page id', 'x']],
	['={{ $json["it\'s"] }}', ["it's"]],
	["={{ $json[''] }}", ['']],
])('parsePathExpression splits %s into the names of its path', (expression, path) => {
	expect(parsePathExpression(expression)).toEqual(path);
});

test.each([
	'$json.page',
	'{{ $json.page }}',
	'={{ $json }}',
	'={{ $json.page + 1 }}',
	'={{ $json.page() }}',
	'={{ $json.list[0] }}',
	'={{ $json?.page }}',
	'={{ $json["a\\"b"] }}',
	'={{ $json["a}}b"] }}',
	'={{ $json[\'a"] }}',
	'={{ $json.page }} ',
	'=x{{ $json.page }}',
	'={{ $json.a }}{{ $json.b }}',
	'={{ $json.constructor }}',
	'={{ $json.a /* why */ }}',
	"={{ $('Node').item.json.page }}",
	7,
	null,
	['={{ $json.page }}'],
])('parsePathExpression returns undefined for %j, which only n8n can evaluate', (expression) => {
	expect(parsePathExpression(expression)).toBeUndefined();
});
