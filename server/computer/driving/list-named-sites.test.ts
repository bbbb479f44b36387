import { expect, test } from 'vitest';
import { listNamedSites } from './list-named-sites.ts';

const TEST_HOSTS = { 'shop.test': '127.0.0.1:4000' };

test.each([
  ['打开shop.test看看', ['shop.test']],
  ['打开shop.test，把价格列成表', ['shop.test']],
  ['在taobao.com上找一本书', ['taobao.com']],
  ['比较a.com和b.com的价格', ['a.com', 'b.com']],
  ['去https://www.jd.com/list?x=1看看', ['jd.com']],
  ['去www.bbc.co.uk看新闻', ['bbc.co.uk']],
  ['Look at shop.test, then at Example.COM.', ['shop.test', 'example.com']],
])('%s names the sites in it, whatever stands right beside them', (text, sites) => {
  expect(listNamedSites(text, TEST_HOSTS)).toEqual(sites);
});

test.each([
  ['看看 例子.中国', ['例子.中国']],
  ['看看 www.中文.com 上的价格', ['中文.com']],
  ['看看中文网 中文.com上有什么', ['中文.com']],
  ['去 中文.com.cn', ['中文.com.cn']],
  ['Look at abc中文.com', ['abc中文.com']],
  ['Schau auf münchen.de', ['münchen.de']],
  ['Look at straße.example.de', ['example.de']],
])('%s names a site whose name is not written in ASCII', (text, sites) => {
  expect(listNamedSites(text, TEST_HOSTS)).toEqual(sites);
});

test.each(['写信给first.last@shop.test吧', 'Write to me@shop.test', '现在是3.5版', '好的。谢谢'])(
  '%s names no site',
  (text) => {
    expect(listNamedSites(text, TEST_HOSTS)).toEqual([]);
  },
);
